//! Packets of the adb transport: a header of 24 bytes and a payload, all numbers little endian.
//!
//! Rules: a header whose magic does not match, or that promises more than [`MAX_PAYLOAD`], ends the
//! connection, because nothing after it can be trusted; a well-formed packet with an unknown command is
//! skipped, as the real daemon does. The "crc" of the protocol is the plain sum of the payload's bytes.

use bytes::{BufMut, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Length of every header.
pub const HEADER_LENGTH: usize = 24;

/// The longest payload this side takes, and the limit it announces.
pub const MAX_PAYLOAD: u32 = 1024 * 1024;

/// The protocol this side speaks: checksums are not needed.
pub const VERSION: u32 = 0x0100_0001;

/// What a packet is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Introduce oneself: version, largest payload, banner.
    Connect,
    /// Ask for or give proof of trust.
    Auth,
    /// Open a stream to a service.
    Open,
    /// The stream is ready for the next write.
    Okay,
    /// The stream is over.
    Close,
    /// Bytes of a stream.
    Write,
}

impl Command {
    const ALL: [Self; 6] = [Self::Connect, Self::Auth, Self::Open, Self::Okay, Self::Close, Self::Write];

    /// Its number: four ASCII letters read as a little-endian word.
    #[must_use]
    pub const fn code(self) -> u32 {
        u32::from_le_bytes(match self {
            Self::Connect => *b"CNXN",
            Self::Auth => *b"AUTH",
            Self::Open => *b"OPEN",
            Self::Okay => *b"OKAY",
            Self::Close => *b"CLSE",
            Self::Write => *b"WRTE",
        })
    }

    fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|command| command.code() == code)
    }
}

/// One packet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    /// What it is for.
    pub command: Command,
    /// First argument; mostly the sender's stream id.
    pub first: u32,
    /// Second argument; mostly the receiver's stream id.
    pub second: u32,
    /// Its bytes.
    pub payload: Bytes,
}

impl Packet {
    /// A packet with a payload.
    #[must_use]
    pub const fn new(command: Command, first: u32, second: u32, payload: Bytes) -> Self {
        Self { command, first, second, payload }
    }

    /// A packet of a header alone.
    #[must_use]
    pub const fn bare(command: Command, first: u32, second: u32) -> Self {
        Self::new(command, first, second, Bytes::new())
    }

    /// Header and payload as they go over the wire; peers of the older protocol want a checksum.
    #[must_use]
    pub fn encode(&self, with_checksum: bool) -> Bytes {
        let mut wire = BytesMut::with_capacity(HEADER_LENGTH + self.payload.len());
        let code = self.command.code();
        let length = u32::try_from(self.payload.len()).unwrap_or(u32::MAX);
        let check = if with_checksum { checksum(&self.payload) } else { 0 };
        for word in [code, self.first, self.second, length, check, !code] {
            wire.put_u32_le(word);
        }
        wire.put_slice(&self.payload);
        wire.freeze()
    }
}

/// The sum of all bytes, which the protocol calls a crc.
#[must_use]
pub fn checksum(payload: &[u8]) -> u32 {
    payload.iter().fold(0, |sum, byte| sum.wrapping_add(u32::from(*byte)))
}

/// Why a byte stream cannot be read as packets any further.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PacketError {
    /// The two ends of a header disagree: this is not adb, or it lost its place.
    #[error("header of command {command:#010x} has magic {magic:#010x}; expected its complement")]
    Magic {
        /// The command word.
        command: u32,
        /// The word that should be its complement.
        magic: u32,
    },
    /// A payload longer than agreed.
    #[error("payload of {length} bytes announced; at most {MAX_PAYLOAD} are taken")]
    TooLong {
        /// The announced length.
        length: u32,
    },
    /// The payload does not add up.
    #[error("payload adds up to {actual:#x}; its header says {expected:#x}")]
    Checksum {
        /// What the header says.
        expected: u32,
        /// What the bytes give.
        actual: u32,
    },
    /// The connection failed or ended inside a packet.
    #[error("reading a packet: {0}")]
    Io(#[from] std::io::Error),
}

/// Reads the next packet; `None` when the peer closed the connection between two packets.
///
/// # Errors
/// When the bytes are no packet, are too many, do not match their checksum, or end early.
pub async fn read_packet<R>(reader: &mut R, verify_checksum: bool) -> Result<Option<Packet>, PacketError>
where
    R: AsyncRead + Unpin + Send,
{
    loop {
        let mut header = [0; HEADER_LENGTH];
        if reader.read(&mut header[..1]).await? == 0 {
            return Ok(None);
        }
        reader.read_exact(&mut header[1..]).await?;
        let mut words = [0; 6];
        for (word, bytes) in words.iter_mut().zip(header.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let [code, first, second, length, expected, magic] = words;
        if magic != !code {
            return Err(PacketError::Magic { command: code, magic });
        }
        if length > MAX_PAYLOAD {
            return Err(PacketError::TooLong { length });
        }
        let mut payload = vec![0; length as usize];
        reader.read_exact(&mut payload).await?;
        if verify_checksum && checksum(&payload) != expected {
            return Err(PacketError::Checksum { expected, actual: checksum(&payload) });
        }
        if let Some(command) = Command::from_code(code) {
            return Ok(Some(Packet::new(command, first, second, payload.into())));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(mut bytes: &[u8], verify: bool) -> Result<Option<Packet>, PacketError> {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap()
            .block_on(read_packet(&mut bytes, verify))
    }

    fn hello() -> Packet {
        Packet::new(Command::Write, 7, 9, Bytes::from_static(b"hello"))
    }

    #[test]
    fn a_packet_is_written_byte_for_byte_as_the_protocol_says() {
        let expected = b"WRTE\x07\0\0\0\x09\0\0\0\x05\0\0\0\x14\x02\0\0\xa8\xad\xab\xbahello";
        assert_eq!(hello().encode(true), &expected[..]);
        assert_eq!(&hello().encode(false)[16..20], [0; 4]);
    }

    #[test]
    fn a_packet_survives_the_wire() {
        assert_eq!(read(&hello().encode(true), true).unwrap(), Some(hello()));
        assert_eq!(read(&hello().encode(false), false).unwrap(), Some(hello()));
        assert_eq!(read(&[], false).unwrap(), None);
    }

    #[test]
    fn a_wrong_checksum_is_noticed_only_when_asked_for() {
        let mut wire = hello().encode(true).to_vec();
        wire[HEADER_LENGTH] ^= 1;
        assert!(matches!(read(&wire, true), Err(PacketError::Checksum { .. })));
        assert!(read(&wire, false).is_ok());
    }

    #[test]
    fn rubbish_and_giants_end_the_reading() {
        let mut wire = hello().encode(false).to_vec();
        wire[20] ^= 1;
        assert!(matches!(read(&wire, false), Err(PacketError::Magic { .. })));
        let mut wire = hello().encode(false).to_vec();
        wire[12..16].copy_from_slice(&(MAX_PAYLOAD + 1).to_le_bytes());
        assert!(matches!(read(&wire, false), Err(PacketError::TooLong { .. })));
        assert!(matches!(read(&hello().encode(false)[..26], false), Err(PacketError::Io(_))));
    }

    #[test]
    fn an_unknown_command_is_skipped() {
        let mut wire = Vec::new();
        let code = u32::from_le_bytes(*b"SYNC");
        for word in [code, 1, 1, 0, 0, !code] {
            wire.extend(word.to_le_bytes());
        }
        wire.extend(hello().encode(false));
        assert_eq!(read(&wire, false).unwrap(), Some(hello()));
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_packet_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes, true);
        }

        #[test]
        fn a_damaged_packet_never_panics(at in 0usize..29, value in any::<u8>()) {
            let mut wire = hello().encode(true).to_vec();
            wire[at] = value;
            if let Ok(Some(packet)) = read(&wire, true) {
                prop_assert!(packet.payload.len() <= MAX_PAYLOAD as usize);
            }
        }
    }
}
