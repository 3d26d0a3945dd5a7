import {
  type Following,
  Gap,
  parseItemId,
  StoredItem,
  type TopicLimits,
  type TopicListener,
  type TopicLog,
} from './topic-log.ts';

/** The characters of the items of all topics together. */
const MAX_CHARACTERS = 67_108_864;

/** The topics that nobody hears. */
const MAX_TOPICS = 10_000;

/** The items of a page of those that a subscriber has missed. */
const PAGE = 100;

/** Keeps topics in the memory of this process. */
export function createMemoryTopics(): TopicLog {
  const topics = new MemoryTopics();
  return {
    append: async (name, text, limits) => topics.append(name, text, limits),
    read: async (name, after) => topics.read(name, after),
    follow: async (name, limits, listener) => topics.follow(name, limits, listener),
    // Nothing goes wrong here that no caller learns.
    logTo: () => {},
    warn: () => {},
  };
}

class MemoryTopics {
  /** The one that was used longest ago is the first. */
  readonly #topics = new Map<string, MemoryTopic>();
  #characters = 0;
  #epoch = 0;

  append(name: string, text: string, limits: TopicLimits): string {
    const topic = this.#open(name, limits);
    topic.number++;
    const item = new StoredItem(`${topic.epoch}-${topic.number}`, text);
    topic.items.set(topic.number, item);
    this.#characters += text.length;
    while (topic.items.size > limits.maxItems) this.#dropFirst(topic);
    this.#makeRoom();
    for (const listener of topic.listeners) listener.take(item);
    return item.id;
  }

  read(name: string, after: string): readonly StoredItem[] {
    const topic = this.#topics.get(name);
    const id = parseItemId(after);
    if (topic === undefined || id?.epoch !== topic.epoch || id.number > topic.number) throw Gap();
    const page: StoredItem[] = [];
    const end = Math.min(topic.number, id.number + PAGE);
    for (let number = id.number + 1; number <= end; number++) {
      const item = topic.items.get(number);
      if (item === undefined) throw Gap();
      page.push(item);
    }
    return page;
  }

  follow(name: string, limits: TopicLimits, listener: TopicListener): Following {
    const topic = this.#open(name, limits);
    topic.listeners.add(listener);
    const leave = (): void => {
      topic.listeners.delete(listener);
      topic.usedAtMs = performance.now();
    };
    const id = `${topic.epoch}-${topic.number}`;
    return { id, newest: id, leave };
  }

  #open(name: string, { keepMs }: TopicLimits): MemoryTopic {
    const topic = this.#topics.get(name) ?? this.#create();
    this.#topics.delete(name);
    this.#topics.set(name, topic);
    topic.usedAtMs = performance.now();
    topic.keepMs = keepMs;
    this.#dropOld();
    return topic;
  }

  /** An epoch is a time: no id of an earlier process, or of a topic that was dropped, is one of this topic. */
  #create(): MemoryTopic {
    this.#epoch = Math.max(Date.now(), this.#epoch + 1);
    return {
      epoch: this.#epoch,
      number: 0,
      items: new Map(),
      listeners: new Set(),
      usedAtMs: 0,
      keepMs: 0,
    };
  }

  /** Looks at two topics each time: more than can be added, so that those that are old go away. */
  #dropOld(): void {
    let looks = 2;
    for (const [name, topic] of this.#topics) {
      const isHeard = topic.listeners.size > 0;
      const isOld = performance.now() - topic.usedAtMs > topic.keepMs;
      if (looks === 0 || (!isHeard && !isOld && this.#topics.size <= MAX_TOPICS)) return;
      looks--;
      this.#topics.delete(name);
      if (isHeard) this.#topics.set(name, topic);
      else while (topic.items.size > 0) this.#dropFirst(topic);
    }
  }

  /** The topics that were used longest ago give up their items first. */
  #makeRoom(): void {
    for (const topic of this.#topics.values())
      while (this.#characters > MAX_CHARACTERS && topic.items.size > 0) this.#dropFirst(topic);
  }

  #dropFirst(topic: MemoryTopic): void {
    const [first] = topic.items;
    if (first === undefined) return;
    const [number, { text }] = first;
    topic.items.delete(number);
    this.#characters -= text.length;
  }
}

interface MemoryTopic {
  readonly epoch: number;
  /** That of the newest item, or 0. */
  number: number;
  /** By their numbers. */
  readonly items: Map<number, StoredItem>;
  readonly listeners: Set<TopicListener>;
  usedAtMs: number;
  keepMs: number;
}
