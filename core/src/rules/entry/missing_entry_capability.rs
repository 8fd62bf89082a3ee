//! `missing-entry-capability`

use crate::rules::rule;

rule! {
    "missing-entry-capability" reports [SD_06, CAP_08, FN_09]
    checks []
    message "missing-entry-capability"
    help "missing-entry-capability"
    en { what "" why "" mend "" }
    ja { message "" help "" what "" why "" mend "" }
    wrong ""
    right ""
}
