export declare function findClean(): Promise<readonly string[]>;
export declare function strikeClean(): Promise<readonly string[]>;
export declare function findBreaches(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
