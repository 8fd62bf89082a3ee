//! `everything-updated`

use crate::rules::rule;

rule! {
    "everything-updated" reports [ADV_03]
    checks []
    message "everything-updated"
    help "everything-updated"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
