export declare const libraryLevels: readonly (readonly string[])[];
export declare const toolLevels: readonly (readonly string[])[];
export declare const legibleRules: Readonly<Record<string, unknown>>;
declare const config: {
  readonly overrides: readonly { readonly rules: Readonly<Record<string, unknown>> }[];
};
export default config;
