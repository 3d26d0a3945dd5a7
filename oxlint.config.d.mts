export declare const libraryLevels: readonly (readonly string[])[];
export declare const toolLevels: readonly (readonly string[])[];
export declare const legibleRules: Readonly<Record<string, unknown>>;
