//! Inflates raw deflate data: with zlib-rs if std is available, otherwise with miniz_oxide.

/// The status after a step of inflation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// More input or more output space is needed.
    More,
    /// The stream is complete.
    End,
    /// The stream is corrupt.
    Damaged,
}

/// The result of a step: bytes read, bytes written, status.
pub(super) type Taken = (usize, usize, Progress);

#[cfg(not(feature = "std"))]
pub(super) use with_miniz::Inflate;
#[cfg(feature = "std")]
pub(super) use with_zlib::Inflate;

#[cfg(feature = "std")]
mod with_zlib {
    use flate2::{Decompress, FlushDecompress, Status};

    use super::{Progress, Taken};

    /// Inflates one stream after the other.
    #[derive(Debug)]
    pub(in crate::package) struct Inflate(Decompress);

    impl Inflate {
        pub(in crate::package) fn new() -> Inflate {
            Inflate(Decompress::new(false))
        }

        pub(in crate::package) fn reset(&mut self) {
            self.0.reset(false);
        }

        pub(in crate::package) fn run(&mut self, input: &[u8], output: &mut [u8]) -> Taken {
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

#[cfg(any(test, not(feature = "std")))]
#[cfg_attr(feature = "std", allow(dead_code))]
mod with_miniz {
    use alloc::boxed::Box;

    use miniz_oxide::{
        DataFormat, MZError, MZFlush, MZStatus,
        inflate::stream::{InflateState, inflate},
    };

    use super::{Progress, Taken};

    /// Inflates one stream after the other.
    pub(in crate::package) struct Inflate(Box<InflateState>);

    impl core::fmt::Debug for Inflate {
        fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
            f.write_str("Inflate")
        }
    }

    impl Inflate {
        pub(in crate::package) fn new() -> Inflate {
            Inflate(InflateState::new_boxed(DataFormat::Raw))
        }

        pub(in crate::package) fn reset(&mut self) {
            self.0.reset(DataFormat::Raw);
        }

        pub(in crate::package) fn run(&mut self, input: &[u8], output: &mut [u8]) -> Taken {
            let result = inflate(&mut self.0, input, output, MZFlush::None);
            let progress = match result.status {
                Ok(MZStatus::StreamEnd) => Progress::End,
                Ok(_) | Err(MZError::Buf) => Progress::More,
                Err(_) => Progress::Damaged,
            };
            (result.bytes_consumed, result.bytes_written, progress)
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn both_inflate_the_same() {
        let text: vec::Vec<u8> = (0..100_000_u32).flat_map(|number| (number / 7).to_le_bytes()).collect();
        let packed = miniz_oxide::deflate::compress_to_vec(&text, 6);
        let (mut one, mut other) = (with_zlib::Inflate::new(), with_miniz::Inflate::new());
        let mut outputs = [vec![0; text.len() + 1], vec![0; text.len() + 1]];
        let [a, b] = &mut outputs;
        assert_eq!(one.run(&packed, a), (packed.len(), text.len(), Progress::End));
        let (mut taken, mut made) = (0, 0);
        loop {
            let (more, out, progress) = other.run(&packed[taken..], &mut b[made..]);
            taken += more;
            made += out;
            if progress == Progress::End {
                break;
            }
        }
        assert_eq!(a, b);
    }
}
