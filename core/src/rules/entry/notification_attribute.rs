//! `notification-attribute`

use crate::rules::rule;

rule! {
    "notification-attribute" reports [FN_12]
    checks []
    message "notification-attribute"
    help "notification-attribute"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
