import type { TestVideo } from './makeVideo.ts';

/** Videos of the containers and codecs that are common in family libraries, by filename. All show the same pictures. */
export const testVideos = (pictures: readonly Buffer[]) =>
  ({
    'h264.mp4': { pictures, encoder: 'libx264', options: { bf: 0 }, sounds: [{ encoder: 'aac' }] },
    'hevc-10-bit.mp4': {
      pictures,
      encoder: 'libx265',
      options: { 'x265-params': 'log-level=none' },
      pixels: 'yuv420p10',
    },
    'prores.mov': {
      pictures,
      encoder: 'prores_ks',
      pixels: 'yuv422p10',
      sounds: [{ encoder: 'pcm_s16le', channels: 1 }],
    },
    'av1.mkv': { pictures, encoder: 'libsvtav1', options: { preset: 12 }, sounds: [{ encoder: 'flac' }] },
    'h264.mkv': { pictures, encoder: 'libx264', sounds: [{ encoder: 'ac3' }, { encoder: 'aac' }] },
    'vp9.webm': { pictures, encoder: 'libvpx-vp9', options: quick, sounds: [{ encoder: 'libopus' }] },
    'vp8.webm': { pictures, encoder: 'libvpx', options: quick, sounds: [{ encoder: 'libvorbis' }] },
    'mjpeg.avi': { pictures, encoder: 'mjpeg', pixels: 'yuvj420p', filters: jpegColours },
    'dv.avi': {
      pictures,
      encoder: 'dvvideo',
      filters: `scale=720:576:${television}`,
      sounds: [{ encoder: 'pcm_s16le' }],
    },
    'dv.dv': {
      pictures,
      encoder: 'dvvideo',
      format: 'dv',
      filters: `scale=720:576:${television}`,
    },
    'mpeg2.mxf': { pictures, encoder: 'mpeg2video', format: 'mxf', options: { bf: 0 } },
    'interlaced.mts': {
      pictures,
      encoder: 'libx264',
      format: 'mpegts',
      isInterlaced: true,
      sounds: [{ encoder: 'ac3' }],
    },
    'mpeg4.3gp': { pictures, encoder: 'mpeg4', filters: `scale=${television}` },
    'mpeg2.mpg': { pictures, encoder: 'mpeg2video', sounds: [{ encoder: 'mp2' }] },
    'wmv2.wmv': { pictures, encoder: 'wmv2', filters: `scale=${television}`, sounds: [{ encoder: 'wmav2' }] },
    'flv1.flv': {
      pictures,
      encoder: 'flv',
      filters: `scale=${television}`,
      sounds: [{ encoder: 'libmp3lame', rate: 44_100 }],
    },
    'theora.ogv': {
      pictures,
      encoder: 'libtheora',
      filters: `scale=${television}`,
      sounds: [{ encoder: 'libvorbis' }],
    },
  }) as const satisfies Record<string, TestVideo>;

const quick = { deadline: 'realtime', 'cpu-used': 8 };

/** Colours of codecs whose files cannot state them. */
const television = 'out_color_matrix=smpte170m:out_range=tv';
const jpegColours = 'scale=out_color_matrix=smpte170m:out_range=pc';
