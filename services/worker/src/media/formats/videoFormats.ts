export interface VideoContainerSpec {
  /** FFmpeg demuxers, separated by commas as in FFmpeg's `format_whitelist`. */
  readonly demuxers: string;
  /** MIME types that the API may assign to such a file. */
  readonly mimeTypes: readonly string[];
  /** Common name, for the user guide. */
  readonly shown: string;
}

/** Allowed containers of videos. Other demuxers of FFmpeg are not needed, and some of them open further files or URLs. */
export const videoContainers = {
  mp4: {
    demuxers: 'mov,mp4,m4a,3gp,3g2,mj2',
    mimeTypes: ['video/mp4', 'video/x-m4v', 'video/quicktime', 'video/3gpp', 'video/3gpp2'],
    shown: 'MP4, M4V, MOV, 3GP',
  },
  matroska: {
    demuxers: 'matroska,webm',
    mimeTypes: ['video/webm', 'video/matroska', 'video/x-matroska'],
    shown: 'Matroska, WebM',
  },
  avi: { demuxers: 'avi', mimeTypes: ['video/vnd.avi', 'video/x-msvideo'], shown: 'AVI' },
  mpegts: { demuxers: 'mpegts', mimeTypes: ['video/mp2t'], shown: 'MPEG transport stream: MTS, M2TS' },
  mpeg: {
    demuxers: 'mpeg,mpegvideo',
    mimeTypes: ['video/mp1s', 'video/mp2p', 'video/mpeg'],
    shown: 'MPEG program stream: MPG, VOB; MPEG-1 and MPEG-2 elementary streams',
  },
  asf: { demuxers: 'asf', mimeTypes: ['video/x-ms-asf', 'video/x-ms-wmv'], shown: 'WMV, ASF' },
  flv: { demuxers: 'flv,live_flv', mimeTypes: ['video/x-flv'], shown: 'FLV' },
  ogg: { demuxers: 'ogg', mimeTypes: ['video/ogg'], shown: 'Ogg' },
  dv: { demuxers: 'dv', mimeTypes: ['video/dv'], shown: 'DV, as from the tape' },
  mxf: { demuxers: 'mxf', mimeTypes: ['video/mxf'], shown: 'MXF' },
} as const satisfies Record<string, VideoContainerSpec>;

/** Allowed video decoders, by FFmpeg's names, with the names of their formats. */
export const pictureDecoders = {
  h264: 'H.264 (AVC)',
  hevc: 'H.265 (HEVC)',
  libdav1d: 'AV1',
  vp8: 'VP8',
  vp9: 'VP9',
  vp6: 'VP6',
  vp6f: 'VP6 in FLV',
  prores: 'ProRes',
  mpeg1video: 'MPEG-1',
  mpeg2video: 'MPEG-2',
  mpeg4: 'MPEG-4 Part 2: DivX, Xvid',
  msmpeg4v1: 'Microsoft MPEG-4 version 1',
  msmpeg4v2: 'Microsoft MPEG-4 version 2',
  msmpeg4: 'Microsoft MPEG-4 version 3: DivX 3',
  mjpeg: 'Motion JPEG',
  dvvideo: 'DV',
  wmv1: 'Windows Media Video 7',
  wmv2: 'Windows Media Video 8',
  wmv3: 'Windows Media Video 9',
  vc1: 'VC-1',
  flv: 'Sorenson H.263',
  h263: 'H.263',
  svq1: 'Sorenson Video 1',
  svq3: 'Sorenson Video 3',
  theora: 'Theora',
} as const;

/** Allowed audio decoders, by FFmpeg's names, with the names of their formats. */
export const soundDecoders = {
  aac: 'AAC',
  aac_latm: 'AAC in broadcasts',
  mp3float: 'MP3',
  mp2: 'MPEG layer II',
  ac3: 'Dolby Digital',
  eac3: 'Dolby Digital Plus',
  truehd: 'Dolby TrueHD',
  dca: 'DTS',
  opus: 'Opus',
  vorbis: 'Vorbis',
  flac: 'FLAC',
  alac: 'Apple Lossless',
  amrnb: 'AMR',
  amrwb: 'AMR wide band',
  wmav1: 'Windows Media Audio 1',
  wmav2: 'Windows Media Audio 2',
  wmapro: 'Windows Media Audio Professional',
  qdm2: 'QDesign Music 2',
  nellymoser: 'Nellymoser',
  speex: 'Speex',
  adpcm_ms: 'ADPCM of Microsoft',
  adpcm_ima_wav: 'IMA ADPCM in AVI',
  adpcm_ima_qt: 'IMA ADPCM in MOV',
  adpcm_swf: 'ADPCM in FLV',
  pcm_alaw: 'A-law',
  pcm_mulaw: 'µ-law',
  pcm_u8: 'PCM of 8 bits',
  pcm_s8: 'PCM of 8 bits with a sign',
  pcm_s16le: 'PCM of 16 bits',
  pcm_s16be: 'PCM, 16 bit, big endian',
  pcm_s24le: 'PCM of 24 bits',
  pcm_s24be: 'PCM, 24 bit, big endian',
  pcm_s32le: 'PCM of 32 bits',
  pcm_s32be: 'PCM, 32 bit, big endian',
  pcm_f32le: 'PCM, floating point',
  pcm_f32be: 'PCM, floating point, big endian',
  pcm_bluray: 'PCM of Blu-ray discs and camcorders',
  pcm_dvd: 'PCM of DVDs',
} as const;

/** Allow lists for FFmpeg: only the `file` protocol, only the listed demuxers and decoders, and no external files referenced by a MOV. */
export const videoAllowLists = {
  protocol_whitelist: 'file',
  format_whitelist: Object.values<VideoContainerSpec>(videoContainers)
    .map(({ demuxers }) => demuxers)
    .join(','),
  codec_whitelist: Object.keys({ ...pictureDecoders, ...soundDecoders }).join(','),
  enable_drefs: 0,
  use_absolute_path: 0,
} as const;
