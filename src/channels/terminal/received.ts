/** One thing that came out of the input. */
export type Received =
  | {
      readonly type: 'line';
      readonly text: string;
      /** `false` when the input ended before the line break; such a line is for the chat only. */
      readonly whole: boolean;
    }
  | { readonly type: 'end' }
  | { readonly type: 'interrupt' };
