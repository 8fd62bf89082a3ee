//! `undescribed-set`

use crate::rules::rule;

rule! {
    "undescribed-set" reports [SD_08]
    checks []
    message "undescribed-set"
    help "undescribed-set"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
