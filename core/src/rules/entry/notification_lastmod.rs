//! `notification-lastmod`

use crate::rules::rule;

rule! {
    "notification-lastmod" reports [FN_13]
    checks []
    message "notification-lastmod"
    help "notification-lastmod"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
