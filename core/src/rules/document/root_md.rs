//! `root-md`

use crate::rules::rule;

rule! {
    "root-md" reports [GEN_04]
    checks []
    message "root-md"
    help "root-md"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
