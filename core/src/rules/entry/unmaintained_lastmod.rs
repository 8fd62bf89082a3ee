//! `unmaintained-lastmod`

use crate::rules::rule;

rule! {
    "unmaintained-lastmod" reports [SD_09, CAP_11]
    checks []
    message "unmaintained-lastmod"
    help "unmaintained-lastmod"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
