//! `byte-order-mark`

use crate::rules::rule;

rule! {
    "byte-order-mark" reports [ADV_11]
    checks []
    message "byte-order-mark"
    help "byte-order-mark"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
