//! `member-order`

use crate::rules::rule;

rule! {
    "member-order" reports [CLI_13, CDI_11]
    checks []
    message "member-order"
    help "member-order"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
