//! `wrong-entry-capability`

use crate::rules::rule;

rule! {
    "wrong-entry-capability" reports [SD_07, CAP_09]
    checks []
    message "wrong-entry-capability"
    help "wrong-entry-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
