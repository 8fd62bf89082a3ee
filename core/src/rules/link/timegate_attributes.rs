//! `timegate-attributes`

use crate::rules::rule;

rule! {
    "timegate-attributes" reports [LK_28]
    checks []
    message "timegate-attributes"
    help "timegate-attributes"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
