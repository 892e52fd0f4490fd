/** Why a tool of the gateway does not do what it was asked. */

export interface ToolFault {
  readonly field: string;
  readonly found: string;
  readonly allowed: string;
  readonly todo: string;
  /** The tool's error, in the real system's words where it has some. */
  readonly said: string;
}

export interface Refused {
  readonly fault: ToolFault;
}

export const refused = (fault: ToolFault): Refused => ({ fault });
