//! `wrong-root`

use crate::rules::rule;

rule! {
    "wrong-root" reports [GEN_02]
    checks []
    message "wrong-root"
    help "wrong-root"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
