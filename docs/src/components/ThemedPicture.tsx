import ThemedImage from '@theme/ThemedImage';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

type Image = ReactElement<ComponentProps<'img'> & { readonly src: string; readonly alt: string }>;

interface Props {
  /** The same picture, light and dark. */
  readonly children: readonly [light: Image, dark: Image];
}

/** Shows the picture that matches the theme. The size is set in advance, to prevent layout shifts. */
const Themed = ({ children: [light, dark], ...more }: Props & ComponentProps<'img'>): ReactNode => {
  // `src` among the other attributes would override both sources.
  const { src, ...props } = light.props;
  return (
    <ThemedImage {...props} {...more} sources={{ light: src, dark: dark.props.src }} loading="lazy" decoding="async" />
  );
};

/** Screenshot of the app. */
export const ThemedPicture = (props: Props): ReactNode => <Themed {...props} className="guidePicture" />;

/** Diagram. It is drawn narrow, and shrinks to its column. */
export const ThemedDiagram = (props: Props): ReactNode => <Themed {...props} className="diagram" />;

/** Minimum width of a chart on small screens: the larger of this share of its width and this number of pixels. */
const [leastPart, leastPixels] = [0.56, 640];

/**
 * Chart that scrolls horizontally on small screens, to keep its text legible. Focusable, so that it scrolls by
 * keyboard.
 */
export const ThemedChart = (props: Props): ReactNode => {
  const width = Number(props.children[0].props.width);
  return (
    <span className="chart" tabIndex={0}>
      <Themed
        {...props}
        className="chartPicture"
        style={{ minWidth: Math.max(width * leastPart, Math.min(width, leastPixels)) }}
      />
    </span>
  );
};
