/** What is used of libheif-js, which has no types of its own. */
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
