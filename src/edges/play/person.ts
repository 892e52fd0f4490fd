/** Someone who answers questions while a run goes. */
export interface Person {
  /** One question at a time; null when the person has gone. */
  ask(question: string): Promise<string | null>;
  /** A question stands on the terminal: nothing else should be written there. */
  readonly isAsked: boolean;
  close(): void;
}
