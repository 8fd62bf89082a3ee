//! `up-from-the-top`

use crate::rules::rule;

rule! {
    "up-from-the-top" reports [SD_11]
    checks []
    message "up-from-the-top"
    help "up-from-the-top"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
