//! Forms and queries round-trip, and leases are within their bounds.

use resourcesync_notify::{
    form::Form,
    lease::{granted, planned},
    rules::LEASE,
};

/// The body of a subscription request, or the query of a verification.
pub fn notify_form(data: &[u8]) {
    let Ok(form) = Form::read(data) else { return };
    let written = Form::write(form.iter());
    if let Ok(again) = Form::read(written.as_bytes()) {
        // Empty names with empty values leave only separators.
        let pairs =
            |form: &Form| form.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>();
        assert_eq!(pairs(&again), pairs(&form));
    } else {
        assert!(written.len() > data.len(), "only what grew by escapes is too long");
    }
    for name in ["hub.mode", "hub.topic", "hub.callback", "hub.challenge", "hub.secret"] {
        assert_eq!(
            form.once(name).is_ok_and(|value| value.is_some()),
            form.iter().filter(|(own, _)| *own == name).count() == 1
        );
        assert_eq!(form.last(name), form.iter().filter(|(own, _)| *own == name).map(|(_, value)| value).last());
    }
    let lease = form.last("hub.lease_seconds");
    assert!((300..=2_678_400).contains(&granted(lease).as_secs()));
    assert!((60..=2_678_400).contains(&planned(lease, LEASE).as_secs()));
}
