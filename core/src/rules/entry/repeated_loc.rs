//! `repeated-loc`

use crate::rules::rule;

rule! {
    "repeated-loc" reports [SD_13, RL_13, FN_16]
    checks []
    message "repeated-loc"
    help "repeated-loc"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
