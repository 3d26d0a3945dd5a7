interface Place<Job> {
  readonly job: Job;
  /** Jobs of one order take their turns as they came. */
  readonly turn: number;
}

/** Jobs that wait for their turn: the lowest order first, and of one order the oldest. Adding and taking cost the logarithm of their number. */
export class WaitingJobs<Job extends { readonly id: string; readonly order: number }> {
  /** A binary heap. What was removed stays in it until its turn. */
  readonly #heap: Place<Job>[] = [];
  readonly #places = new Map<string, Place<Job>>();
  #turns = 0;

  get size(): number {
    return this.#places.size;
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  add(job: Job): void {
    const place = { job, turn: this.#turns++ };
    this.#places.set(job.id, place);
    this.#rise(place);
  }

  /** The next one, which waits no longer. */
  take(): Job | undefined {
    for (let place = this.#pop(); place !== undefined; place = this.#pop()) {
      if (this.#places.get(place.job.id) !== place) continue;
      this.#places.delete(place.job.id);
      return place.job;
    }
    return undefined;
  }

  remove(id: string): Job | undefined {
    const place = this.#places.get(id);
    this.#places.delete(id);
    return place?.job;
  }

  /** Some of them, in the order of their turns. */
  list(from: number, count: number): readonly Job[] {
    const sorted = [...this.#places.values()].sort((one, other) => (isBefore(one, other) ? -1 : 1));
    return sorted.slice(from, from + count).map(({ job }) => job);
  }

  #rise(place: Place<Job>): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, place)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = place;
  }

  #pop(): Place<Job> | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const child = this.#findEarlierChild(at);
      const below = heap[child];
      if (below === undefined || isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  #findEarlierChild(at: number): number {
    const left = 2 * at + 1;
    const [one, other] = [this.#heap[left], this.#heap[left + 1]];
    return one !== undefined && other !== undefined && isBefore(other, one) ? left + 1 : left;
  }
}

type Ordered = Place<{ readonly order: number }>;

function isBefore(one: Ordered, other: Ordered): boolean {
  return one.job.order < other.job.order || (one.job.order === other.job.order && one.turn < other.turn);
}
