//! `repeated-md`

use crate::rules::rule;

rule! {
    "repeated-md" reports [GEN_13]
    checks []
    message "repeated-md"
    help "repeated-md"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
