//! `wrong-namespace`

use crate::rules::rule;

rule! {
    "wrong-namespace" reports [GEN_03]
    checks []
    message "wrong-namespace"
    help "wrong-namespace"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
