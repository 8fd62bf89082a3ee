//! `entry-outside-interval`

use crate::rules::rule;

rule! {
    "entry-outside-interval" reports [TA_13]
    checks []
    message "entry-outside-interval"
    help "entry-outside-interval"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
