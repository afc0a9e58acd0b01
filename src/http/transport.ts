// One HTTP request and how it ended, as plain data. The client speaks only this, so the service may be a
// socket, a proxy or the sandbox in the same process.

export interface WireRequest {
  readonly method: "GET" | "POST";
  /** Absolute URL. */
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Control {
  /** Milliseconds until the connection is destroyed, however far it has come. */
  readonly deadline: number;
  readonly signal?: AbortSignal;
  /**
   * Called when the connection stands; the request's first byte leaves after it has resolved. What it rejects with
   * stops the request unsent; whatever else goes wrong from its call on counts as sent.
   */
  readonly beforeSend?: () => Promise<void>;
}

export interface Answered {
  readonly phase: "answered";
  readonly status: number;
  /** Header names in lower case; a repeated header's values are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body after decompression, as far as it came. */
  readonly body: Uint8Array;
  /** Why `body` is not all that the service meant to send. */
  readonly bodyError?: "truncated" | "too-large" | "timeout" | "undecodable" | "cancelled";
}

/** Nothing of the request left this machine for the service. */
export interface Unsent {
  readonly phase: "unsent";
  readonly reason:
    | "refused"
    | "unresolved"
    | "timeout"
    | "connection"
    | "certificate"
    | "proxy"
    | "proxy-login"
    | "cancelled";
  /** What the system said, for a person to read. */
  readonly detail: string;
}

/** The request, or part of it, left this machine, or was cleared to; and no complete response head came back. */
export interface Unanswered {
  readonly phase: "unanswered";
  readonly reason: "reset" | "timeout" | "garbage" | "cancelled";
  readonly detail: string;
}

/** How a request ended. The phase is decided by what happened, never by an error's code. */
export type Outcome = Answered | Unsent | Unanswered;

/** Sends one request and resolves with how it ended. It rejects only with what `beforeSend` rejected with. */
export type Transport = (request: WireRequest, control: Control) => Promise<Outcome>;
