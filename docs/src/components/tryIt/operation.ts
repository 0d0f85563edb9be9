/** An input of the form. */
export interface TryItField {
  readonly name: string;
  /** Part of the request that the value goes into. `link`: the value is the whole URL. */
  readonly place: 'path' | 'query' | 'header' | 'link';
  readonly isRequired: boolean;
  /** Initial value. */
  readonly value: string;
  /** Hint for the input. */
  readonly hint: string;
  /** Permitted values, if there are few. */
  readonly options: readonly string[];
}

/** An operation that the form can call. */
export interface TryItOperation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly access: 'none' | 'bearer' | 'session' | 'basic' | 'link';
  readonly fields: readonly TryItField[];
  /** Initial JSON body. */
  readonly json?: string;
  /** Content type of a body that is a file; `form` for a form with a file. */
  readonly file?: string;
}
