/** Something that stands in the conversation. */
export type ChatItem =
  /** What somebody wrote; `open` while it is still being written. */
  | {
      readonly type: 'user' | 'assistant' | 'reasoning';
      readonly id: string;
      readonly text: string;
      readonly open: boolean;
      /** Whether it was sent from here and nobody knows yet that the hub has it. */
      readonly unsure?: boolean | undefined;
    }
  /** A call of a tool; `open` until its arguments are complete. */
  | {
      readonly type: 'tool';
      readonly id: string;
      readonly name: string;
      readonly args: string;
      readonly open: boolean;
      readonly result?: string;
      /** Whether the result is an error. */
      readonly failed?: boolean;
    };
