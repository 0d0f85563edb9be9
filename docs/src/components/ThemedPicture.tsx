import ThemedImage from '@theme/ThemedImage';
import type { ComponentProps, ReactElement, ReactNode } from 'react';

type Image = ReactElement<ComponentProps<'img'> & { readonly src: string; readonly alt: string }>;

interface Props {
  /** The same picture, light and dark. */
  readonly children: readonly [light: Image, dark: Image];
}

/** Shows the one of two pictures that suits the colours of the page. Its size is known before it has come, so that nothing moves when it does. */
const Themed = ({ children: [light, dark], ...more }: Props & ComponentProps<'img'>): ReactNode => {
  // An address among the others would stand in for both.
  const { src, ...props } = light.props;
  return (
    <ThemedImage {...props} {...more} sources={{ light: src, dark: dark.props.src }} loading="lazy" decoding="async" />
  );
};

/** A picture of the app. */
export const ThemedPicture = (props: Props): ReactNode => <Themed {...props} className="guidePicture" />;

/** As far as a chart is made smaller to fit its page: to this part, or this many pixels. */
const [leastPart, leastPixels] = [0.56, 640];

/** A chart, which is scrolled in itself where it is wider than the page, since its letters have to stay legible: the keyboard has to reach it. */
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
