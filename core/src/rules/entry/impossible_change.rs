//! `impossible-change`

use crate::rules::rule;

rule! {
    "impossible-change" reports [FT_01, FT_02, FT_03, FT_04]
    checks []
    message "impossible-change"
    help "impossible-change"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
