//! `deletion-with-representation`

use crate::rules::rule;

rule! {
    "deletion-with-representation" reports [AT_37]
    checks []
    message "deletion-with-representation"
    help "deletion-with-representation"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
