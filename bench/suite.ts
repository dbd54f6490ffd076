/** One line of a table: plain values, in the order of the columns. */
export type Row = readonly (string | number)[];

/** One table of a suite. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** What a reader must know to judge the numbers. */
  readonly notes: readonly string[];
}

/** One suite; measures when it is run. */
export interface Suite {
  /** What is typed to run it alone. */
  readonly name: string;
  run(progress: (line: string) => void): Promise<readonly Table[]>;
}
