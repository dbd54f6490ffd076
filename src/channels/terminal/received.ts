/** One thing that came out of the input. */
export type Received =
  | {
      readonly type: 'line';
      readonly text: string;
      /** `false` when the input ended before the line break; such a line answers no question. */
      readonly whole: boolean;
    }
  | { readonly type: 'end' }
  | { readonly type: 'interrupt' };
