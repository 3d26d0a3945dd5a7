export interface PlacesSize {
  readonly files: number;
  readonly characters: number;
  readonly lines: number;
}
export declare const halves: Readonly<Record<'library' | 'tool', readonly string[]>>;
export declare function measurePlaces(places: readonly string[]): PlacesSize;
export declare function measureRooms(): Readonly<Record<string, PlacesSize>>;
export declare function measureWhole(): Readonly<Record<string, number>>;
export declare function toCodeLines(text: string): readonly string[];
