/** What changes by itself, and is drawn anew when it has. */
export class Store {
  readonly #watchers = new Set<() => void>();
  #version = 0;

  /** Another number when there is something new to draw. */
  readonly version = (): number => this.#version;

  readonly watch = (onChange: () => void): (() => void) => {
    this.#watchers.add(onChange);
    return () => void this.#watchers.delete(onChange);
  };

  protected changed(): void {
    this.#version += 1;
    for (const watcher of this.#watchers) watcher();
  }

  /** Nobody draws it any more. */
  protected unwatch(): void {
    this.#watchers.clear();
  }
}
