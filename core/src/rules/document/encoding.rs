//! `encoding`

use crate::rules::rule;

rule! {
    "encoding" reports [GEN_22]
    checks []
    message "encoding"
    help "encoding"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
