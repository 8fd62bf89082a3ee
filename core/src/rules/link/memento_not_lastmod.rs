//! `memento-not-lastmod`

use crate::rules::rule;

rule! {
    "memento-not-lastmod" reports [LK_27]
    checks []
    message "memento-not-lastmod"
    help "memento-not-lastmod"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
