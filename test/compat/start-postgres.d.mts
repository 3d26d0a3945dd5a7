export declare const hasPostgres: boolean;
export declare function startPostgres(): Promise<{
  readonly url: string;
  readonly end: () => Promise<void>;
}>;
