//! `entry-outside-snapshot`

use crate::rules::rule;

rule! {
    "entry-outside-snapshot" reports [TA_14]
    checks []
    message "entry-outside-snapshot"
    help "entry-outside-snapshot"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
