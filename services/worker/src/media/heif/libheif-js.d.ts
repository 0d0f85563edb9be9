/** The used part of libheif-js, which has no types. */
declare module 'libheif-js/wasm-bundle.js' {
  export interface HeifImage {
    is_primary(): boolean;
    get_width(): number;
    get_height(): number;
    display(target: DisplayTarget, done: (displayed: DisplayTarget | null) => void): void;
    free(): void;
  }

  interface DisplayTarget {
    readonly data: Uint8ClampedArray;
    readonly width: number;
    readonly height: number;
  }

  const libheif: { readonly HeifDecoder: new () => { decode(bytes: Uint8Array): HeifImage[] } };
  export default libheif;
}
