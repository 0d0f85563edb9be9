import sharp from 'sharp';

export const drawingStyles = ['emoji', 'cartoon', 'line', 'poster'] as const;

/** Draws a face like in children's drawings, stickers and comics, as a JPEG of 900×900 pixels. */
export const drawFace = async (style: (typeof drawingStyles)[number]): Promise<Buffer> => {
  const { paper, skin, hair, ink, width } = styles[style];
  const line = `stroke="${ink}" stroke-width="${width}" stroke-linecap="round"`;
  const eye = (x: number): string =>
    `<ellipse cx="${x}" cy="410" rx="52" ry="38" fill="white" ${line}/><circle cx="${x}" cy="412" r="20" fill="${ink}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900">
    <rect width="900" height="900" fill="${paper}"/>
    <path d="M220 430 Q230 130 450 130 Q670 130 680 430 Q640 250 450 250 Q260 250 220 430" fill="${hair}" ${line}/>
    <ellipse cx="450" cy="470" rx="220" ry="280" fill="${skin}" ${line}/>
    ${eye(360)}${eye(540)}
    <path d="M300 340 Q360 310 420 340 M480 340 Q540 310 600 340" fill="none" ${line}/>
    <path d="M450 440 L430 540 L465 540" fill="none" ${line}/>
    <path d="M350 610 Q450 690 550 610 Q450 640 350 610" fill="#c33" ${line}/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 90 }).toBuffer();
};

const styles = {
  emoji: { paper: 'white', skin: '#ffd93b', hair: '#ffd93b', ink: '#40230b', width: 4 },
  cartoon: { paper: '#bfe3ff', skin: '#f3c9a5', hair: '#6b3e1d', ink: '#222222', width: 7 },
  line: { paper: '#fbf8f0', skin: 'none', hair: 'none', ink: '#333333', width: 5 },
  poster: { paper: '#0b7285', skin: '#f08c00', hair: '#e03131', ink: '#1a1a1a', width: 12 },
} as const;
