//! Inflates raw deflate: by zlib-rs with the feature `zlib`, else by miniz_oxide.

/// The state after a step of inflating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More input or more room is needed.
    More,
    /// The stream is complete.
    End,
    /// The stream is damaged.
    Damaged,
}

/// The result of a step: bytes consumed, bytes written, and how to go on.
pub(crate) type Step = (usize, usize, Progress);

#[cfg(not(feature = "zlib"))]
pub(crate) use with_miniz::Inflate;
#[cfg(feature = "zlib")]
pub(crate) use with_zlib::Inflate;

#[cfg(feature = "zlib")]
mod with_zlib {
    use flate2::{Decompress, FlushDecompress, Status};

    use super::{Progress, Step};

    /// Inflates one stream after the other.
    #[derive(Debug)]
    pub(crate) struct Inflate(Decompress);

    impl Inflate {
        pub(crate) fn new() -> Inflate {
            Inflate(Decompress::new(false))
        }

        pub(crate) fn reset(&mut self) {
            self.0.reset(false);
        }

        pub(crate) fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
            let (taken, made) = (self.0.total_in(), self.0.total_out());
            let status = self.0.decompress(input, output, FlushDecompress::None);
            let progress = match status {
                Ok(Status::StreamEnd) => Progress::End,
                Ok(Status::Ok | Status::BufError) => Progress::More,
                Err(_) => Progress::Damaged,
            };
            let since = |now: u64, before: u64| usize::try_from(now.saturating_sub(before)).unwrap_or(0);
            (since(self.0.total_in(), taken), since(self.0.total_out(), made), progress)
        }
    }
}

#[cfg(any(test, not(feature = "zlib")))]
#[cfg_attr(feature = "zlib", allow(dead_code))]
mod with_miniz {
    use alloc::{boxed::Box, vec, vec::Vec};

    use miniz_oxide::inflate::{
        TINFLStatus,
        core::{
            DecompressorOxide, decompress,
            inflate_flags::{TINFL_FLAG_HAS_MORE_INPUT, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF},
        },
    };

    use super::{Progress, Step};

    /// The farthest that deflate refers back.
    const WINDOW: usize = 32 << 10;

    /// Inflates one stream after the other.
    pub(crate) struct Inflate {
        decompressor: Box<DecompressorOxide>,
        /// The last output, as a ring.
        window: Vec<u8>,
        /// Where the next output begins in the window.
        at: usize,
        /// Bytes from there on that are still to be passed on.
        waiting: usize,
        /// True once the window is full. Until then it is no ring: a reference to before the first byte is damage, not
        /// the zeros that a ring has there.
        is_full: bool,
        progress: Progress,
    }

    impl core::fmt::Debug for Inflate {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("Inflate")
        }
    }

    impl Inflate {
        pub(crate) fn new() -> Inflate {
            Inflate {
                decompressor: Box::default(),
                window: vec![0; WINDOW],
                at: 0,
                waiting: 0,
                is_full: false,
                progress: Progress::More,
            }
        }

        pub(crate) fn reset(&mut self) {
            self.decompressor.init();
            (self.at, self.waiting, self.is_full, self.progress) = (0, 0, false, Progress::More);
        }

        pub(crate) fn run(&mut self, input: &[u8], output: &mut [u8]) -> Step {
            let (mut taken, mut made) = (0_usize, 0_usize);
            loop {
                made = made.saturating_add(self.pass_on(output.get_mut(made..).unwrap_or_default()));
                if self.waiting > 0 || made == output.len() && self.progress == Progress::More {
                    return (taken, made, Progress::More);
                }
                if self.progress != Progress::More {
                    return (taken, made, self.progress);
                }
                let ring = if self.is_full { 0 } else { TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF };
                let rest = input.get(taken..).unwrap_or_default();
                let flags = TINFL_FLAG_HAS_MORE_INPUT | ring;
                let (status, read, written) =
                    decompress(&mut self.decompressor, rest, &mut self.window, self.at, flags);
                taken = taken.saturating_add(read);
                self.waiting = written;
                match status {
                    TINFLStatus::Done => self.progress = Progress::End,
                    TINFLStatus::HasMoreOutput => {}
                    TINFLStatus::NeedsMoreInput if written > 0 => {}
                    TINFLStatus::NeedsMoreInput => return (taken, made, Progress::More),
                    _ => self.progress = Progress::Damaged,
                }
            }
        }

        /// Copies what is waiting, as far as there is room.
        fn pass_on(&mut self, room: &mut [u8]) -> usize {
            let length = self.waiting.min(room.len());
            let end = self.at.saturating_add(length);
            if let (Some(from), Some(to)) = (self.window.get(self.at..end), room.get_mut(..length)) {
                to.copy_from_slice(from);
            }
            self.waiting = self.waiting.saturating_sub(length);
            self.at = end;
            if self.at >= WINDOW {
                (self.at, self.is_full) = (0, true);
            }
            length
        }
    }
}

#[cfg(all(test, feature = "zlib"))]
mod tests {
    use alloc::{vec, vec::Vec};

    use proptest::prelude::*;

    use super::*;

    /// All output in steps of these sizes, and how it ended.
    fn whole(
        mut run: impl FnMut(&[u8], &mut [u8]) -> Step,
        packed: &[u8],
        steps: (usize, usize),
    ) -> (Vec<u8>, Progress) {
        let (mut out, mut room) = (Vec::new(), vec![0; steps.1]);
        let mut taken = 0;
        loop {
            let end = packed.len().min(taken + steps.0);
            let (read, made, progress) = run(&packed[taken..end], &mut room);
            taken += read;
            out.extend_from_slice(&room[..made]);
            let is_over = read == 0 && made == 0 && end == packed.len();
            if progress != Progress::More || is_over {
                return (out, progress);
            }
        }
    }

    fn both(packed: &[u8], steps: (usize, usize)) -> [(Vec<u8>, Progress); 2] {
        let (mut one, mut other) = (with_zlib::Inflate::new(), with_miniz::Inflate::new());
        [
            whole(|input, output| one.run(input, output), packed, steps),
            whole(|input, output| other.run(input, output), packed, steps),
        ]
    }

    fn text() -> Vec<u8> {
        (0..40_000_u32).flat_map(|number| (number / 7).wrapping_mul(2_654_435_761).to_le_bytes()).collect()
    }

    #[test]
    fn both_inflate_the_same() {
        let (text, mut used) = (text(), with_miniz::Inflate::new());
        let packed = miniz_oxide::deflate::compress_to_vec(&text, 6);
        for steps in [(usize::MAX >> 1, 1 << 20), (1, 7), (4_096, 32_768), (100_000, 1)] {
            let [one, other] = both(&packed, steps);
            assert_eq!(one, (text.clone(), Progress::End));
            assert_eq!(one, other);
            used.reset();
            assert_eq!(whole(|input, output| used.run(input, output), &packed, steps), one);
        }
    }

    #[test]
    fn a_reference_to_before_the_start_is_damage() {
        // One block with fixed codes: the literal `a`, then three bytes from a distance of two.
        let packed = [0x4b, 0x04, 0x42, 0x00];
        let [one, other] = both(&packed, (1 << 10, 1 << 10));
        assert_eq!(one, (b"a".to_vec(), Progress::Damaged));
        assert_eq!(one, other);
    }

    proptest! {
        #[test]
        fn both_stop_at_the_same_byte_of_a_damaged_stream(
            at in any::<prop::sample::Index>(), byte in any::<u8>(), length in 0_usize..90_000, level in 0_u8..10,
        ) {
            let mut packed = miniz_oxide::deflate::compress_to_vec(&text()[..length], level);
            let at = at.index(packed.len());
            packed[at] = byte;
            let [one, other] = both(&packed, (5_000, 70_000));
            prop_assert_eq!(one.1, other.1);
            prop_assert_eq!(one.0.len(), other.0.len());
            prop_assert!(one.0 == other.0);
        }
    }
}
