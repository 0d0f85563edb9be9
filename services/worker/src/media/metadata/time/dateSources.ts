import type { readTagTime } from './tagTime.ts';

/** A tag that holds a capture time. */
export interface DateSource {
  /** Tag with the date, and tags with its time, fraction of a second and offset, if they are separate. */
  readonly names: Parameters<typeof readTagTime>[1];
  /** Meaning of the date, for the documentation. */
  readonly shows: string;
  /** True if the date is in UTC by definition. It is then converted to the local time of the place. */
  readonly isUtc?: boolean;
  /** True if an offset of +00:00 is ignored: many programs write it when they do not know the zone. */
  readonly ignoreUtc?: boolean;
}

/**
 * Tags that hold a capture time, most reliable first: shutter, digitising, editors, containers, GPS. Excludes modification times (`ModifyDate`, PNG's
 * `tIME`).
 */
export const dateSources: readonly DateSource[] = [
  {
    names: {
      date: 'ExifIFD:DateTimeOriginal',
      fraction: 'ExifIFD:SubSecTimeOriginal',
      offset: 'ExifIFD:OffsetTimeOriginal',
    },
    shows: 'shutter release, set by the camera',
  },
  { names: { date: 'IFD0:DateTimeOriginal' }, shows: 'the same, in RAW files' },
  { names: { date: 'XMP-exif:DateTimeOriginal' }, shows: 'the same, set by an editor' },
  { names: { date: 'Keys:CreationDate' }, shows: 'Apple’s videos: start of the recording, with its zone' },
  { names: { date: 'XML:CreationDateValue' }, shows: 'Sony’s videos: start of the recording, with its zone' },
  { names: { date: 'H264:DateTimeOriginal' }, shows: 'camcorders (AVCHD): the first picture, with its zone' },
  { names: { date: 'RIFF:DateTimeOriginal' }, shows: 'AVI: start of the recording' },
  {
    names: {
      date: 'ExifIFD:CreateDate',
      fraction: 'ExifIFD:SubSecTimeDigitized',
      offset: 'ExifIFD:OffsetTimeDigitized',
    },
    shows: 'digitization, set by the camera or scanner',
  },
  { names: { date: 'XMP-exif:DateTimeDigitized' }, shows: 'the same, set by an editor' },
  { names: { date: 'XMP-photoshop:DateCreated' }, shows: 'time of the scene, set by an editor' },
  { names: { date: 'XMP-xmp:CreateDate' }, shows: 'creation of the first version' },
  { names: { date: 'XML-xmp:CreateDate' }, shows: 'the same, in JPEG 2000' },
  { names: { date: 'IPTC:DateCreated', time: 'IPTC:TimeCreated' }, shows: 'time of the scene', ignoreUtc: true },
  { names: { date: 'UserData:ContentCreateDate' }, shows: 'videos: creation of the content' },
  { names: { date: 'ItemList:ContentCreateDate' }, shows: 'the same, set by an editor' },
  { names: { date: 'Matroska:CreationTime' }, shows: 'Matroska and WebM: a tag that survives conversion' },
  { names: { date: 'Info:DateTimeOriginal' }, shows: 'Matroska and WebM: when the file was written', isUtc: true },
  { names: { date: 'QuickTime:CreateDate' }, shows: 'MP4 and MOV: start of the recording', isUtc: true },
  { names: { date: 'RIFF:DateCreated' }, shows: 'AVI: usually only a day' },
  { names: { date: 'Composite:GPSDateTime' }, shows: 'last GPS fix', isUtc: true },
];
