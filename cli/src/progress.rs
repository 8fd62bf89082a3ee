//! The line of progress: on standard error, only at a terminal, and only for longer runs.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use indicatif::{DecimalBytes, HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use resourcesync::report::Lang;
use resourcesync_client as client;

/// Runs shorter than this show nothing.
const A_WHILE: Duration = Duration::from_millis(500);

/// The line of progress, which never takes more columns than the terminal has.
pub(crate) struct ProgressLine {
    started: Instant,
    bar: Option<ProgressBar>,
    is_wanted: bool,
    lang: Lang,
}

impl ProgressLine {
    /// For a run that starts now.
    pub(crate) fn new(quiet: bool, lang: Lang) -> ProgressLine {
        ProgressLine { started: Instant::now(), bar: None, is_wanted: !quiet && io::stderr().is_terminal(), lang }
    }

    /// Shows the text, made from the time since the start and the language.
    pub(crate) fn show(&mut self, text: impl FnOnce(Duration, Lang) -> String) {
        let elapsed = self.started.elapsed();
        if self.is_wanted && elapsed >= A_WHILE {
            let bar = self.bar.get_or_insert_with(|| {
                let bar = spinner(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(Duration::from_millis(120));
                bar
            });
            bar.set_message(text(elapsed, self.lang));
        }
    }

    /// Removes the line.
    pub(crate) fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.end();
    }
}

fn spinner(target: ProgressDrawTarget) -> ProgressBar {
    // `wide_msg` truncates the text by its width in columns. With an invalid template the default style is used.
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    ProgressBar::with_draw_target(None, target).with_style(style)
}

/// Counts the resources of a run.
pub(crate) struct Passed {
    line: ProgressLine,
    count: u64,
}

impl Passed {
    /// Creates a counter.
    pub(crate) fn new(quiet: bool, lang: Lang) -> Passed {
        Passed { line: ProgressLine::new(quiet, lang), count: 0 }
    }

    /// Counts a resource.
    pub(crate) fn one(&mut self) {
        self.count = self.count.saturating_add(1);
        let count = self.count;
        self.line.show(|elapsed, lang| resources(count, elapsed, lang));
    }
}

/// The progress of reading files, or a number of documents that is not known before: 0.
pub(crate) fn files(far: &client::Progress, files: usize, elapsed: Duration, lang: Lang) -> String {
    let inputs = HumanCount(far.inputs as u64);
    let mut parts = vec![match (files, lang) {
        (0, Lang::En) => format!("{inputs} document{}", if far.inputs == 1 { "" } else { "s" }),
        (0, Lang::Ja) => format!("文書 {inputs} 件"),
        (_, Lang::En) => {
            format!("{inputs} of {} file{}", HumanCount(files as u64), if files == 1 { "" } else { "s" })
        }
        (_, Lang::Ja) => format!("ファイル {inputs}/{} 件", HumanCount(files as u64)),
    }];
    let (bytes, total) = (DecimalBytes(far.bytes), DecimalBytes(far.total));
    let percent = far.bytes.saturating_mul(100).checked_div(far.total);
    parts.push(match (percent, lang) {
        (None, Lang::En) => format!("{bytes}, {}/s", DecimalBytes(per_second(far.bytes, elapsed))),
        (None, Lang::Ja) => format!("{bytes}、{}/秒", DecimalBytes(per_second(far.bytes, elapsed))),
        (Some(percent), Lang::En) => format!("{percent}% of {total}"),
        (Some(percent), Lang::Ja) => format!("{total} の {percent}%"),
    });
    // The number of entries is known when the first file is finished.
    if far.entries > 0 {
        let rate = HumanCount(per_second(far.entries, elapsed));
        parts.push(match lang {
            Lang::En => format!("{rate} entries/s"),
            Lang::Ja => format!("{rate} エントリ/秒"),
        });
    }
    if let Some(seconds) = seconds_left(far, elapsed) {
        let (number, unit, ja) = match seconds {
            0..100 => (seconds, "s", "秒"),
            100..6000 => (seconds.div_ceil(60), "min", "分"),
            _ => (seconds.div_ceil(3600), "h", "時間"),
        };
        parts.push(match lang {
            Lang::En => format!("{number} {unit} left"),
            Lang::Ja => format!("残り {number} {ja}"),
        });
    }
    parts.join(if lang == Lang::Ja { "、" } else { ", " })
}

fn resources(count: u64, elapsed: Duration, lang: Lang) -> String {
    let (shown, rate) = (HumanCount(count), HumanCount(per_second(count, elapsed)));
    match lang {
        Lang::En => format!("{shown} resource{}, {rate}/s", if count == 1 { "" } else { "s" }),
        Lang::Ja => format!("リソース {shown} 件、{rate} 件/秒"),
    }
}

/// A rate as a whole number.
fn per_second(amount: u64, elapsed: Duration) -> u64 {
    let millis = elapsed.as_millis().max(1);
    u64::try_from(u128::from(amount).saturating_mul(1000) / millis).unwrap_or(u64::MAX)
}

/// The time that the remaining bytes take at the rate so far.
fn seconds_left(far: &client::Progress, elapsed: Duration) -> Option<u64> {
    let rest = far.total.checked_sub(far.bytes).filter(|rest| *rest > 0)?;
    elapsed.as_secs().saturating_mul(rest).checked_div(far.bytes)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;
    use resourcesync::report::columns;

    use super::*;

    #[test]
    fn rates_are_whole_numbers_in_groups() {
        let far = client::Progress { bytes: 500_000_000, total: 1_250_000_000, inputs: 3, entries: 63_446 };
        let elapsed = Duration::from_millis(10_000);
        assert_eq!(files(&far, 10, elapsed, Lang::En), "3 of 10 files, 40% of 1.25 GB, 6,344 entries/s, 15 s left");
        assert_eq!(
            files(&far, 10, elapsed, Lang::Ja),
            "ファイル 3/10 件、1.25 GB の 40%、6,344 エントリ/秒、残り 15 秒"
        );
        let crawl = client::Progress { total: 0, inputs: 1, ..far };
        assert_eq!(files(&crawl, 0, elapsed, Lang::En), "1 document, 500.00 MB, 50.00 MB/s, 6,344 entries/s");
        assert_eq!(resources(63_446, elapsed, Lang::En), "63,446 resources, 6,344/s");
        assert_eq!(resources(63_446, elapsed, Lang::Ja), "リソース 63,446 件、6,344 件/秒");
        assert_eq!(resources(1, Duration::ZERO, Lang::En), "1 resource, 1,000/s");
    }

    /// A terminal that keeps what is written, in a line without line breaks.
    #[derive(Debug, Clone)]
    struct Terminal(u16, Arc<Mutex<Vec<String>>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            self.0
        }
        fn move_cursor_up(&self, lines: usize) -> io::Result<()> {
            assert_eq!(lines, 0, "more than a line was drawn");
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            panic!("a line was left: {text}")
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            let mut lines = self.1.lock().unwrap();
            match lines.last_mut() {
                Some(line) if text != "\r" => line.push_str(text),
                _ => lines.push(text.trim_start_matches('\r').to_owned()),
            }
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            self.1.lock().unwrap().push(String::new());
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_text_takes_one_line_however_narrow_the_terminal_and_wide_the_characters() {
        for width in [20, 40, 80, 120] {
            for text in ["リソースの文書を読み取り中".repeat(20), "resources: ".repeat(20), "短い".to_owned()]
            {
                let lines = Arc::default();
                let bar =
                    spinner(ProgressDrawTarget::term_like_with_hz(Box::new(Terminal(width, Arc::clone(&lines))), 255));
                for number in 0..20 {
                    bar.set_message(format!("{number} {text}"));
                    bar.tick();
                }
                bar.finish_and_clear();
                let lines = lines.lock().unwrap();
                assert!(lines.iter().any(|line| line.contains(&text[..3])), "{lines:?}");
                assert!(lines.iter().all(|line| columns(line) <= width.into()), "{width}: {lines:#?}");
            }
        }
    }
}
