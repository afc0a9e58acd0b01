// The choice of a proxy from the environment. No message contains its credentials.
import { describe, expect, test } from "vitest";
import { Failure } from "../../../src/failure.ts";
import { chooseProxy, proxyAuthorization } from "../../../src/http/proxy.ts";

type Env = Readonly<Record<string, string>>;

const proxy = "http://proxy.example:3128";
const other = "http://b.example:1";

function choose(env: Env, target = "https://status.example/v1") {
  return chooseProxy(new URL(target), env);
}

describe("the proxy", () => {
  test.each<[string, Env, string | undefined]>([
    ["is none without a setting", {}, undefined],
    ["is HTTPS_PROXY", { HTTPS_PROXY: proxy }, "proxy.example:3128"],
    ["is https_proxy", { https_proxy: proxy }, "proxy.example:3128"],
    ["is the lower-case one of two", { https_proxy: proxy, HTTPS_PROXY: other }, "proxy.example:3128"],
    ["is the one that is not empty", { https_proxy: " ", HTTPS_PROXY: proxy }, "proxy.example:3128"],
    ["is none when empty", { HTTPS_PROXY: "" }, undefined],
    ["may have spaces around it", { HTTPS_PROXY: ` ${proxy}\n` }, "proxy.example:3128"],
    ["may have its default port", { HTTPS_PROXY: "http://proxy.example" }, "proxy.example"],
    ["may be spoken to over TLS", { HTTPS_PROXY: "https://proxy.example:8443/" }, "proxy.example:8443"],
    ["is shown without its login", { HTTPS_PROXY: "http://user:secret@proxy.example:1" }, "proxy.example:1"],
    ["is ALL_PROXY without HTTPS_PROXY", { ALL_PROXY: proxy, HTTPS_PROXY: "" }, "proxy.example:3128"],
    ["is all_proxy before ALL_PROXY", { all_proxy: proxy, ALL_PROXY: other }, "proxy.example:3128"],
    ["is HTTPS_PROXY before all_proxy", { all_proxy: other, HTTPS_PROXY: proxy }, "proxy.example:3128"],
    ["needs no scheme", { HTTPS_PROXY: "proxy.example:3128" }, "proxy.example:3128"],
    ["needs no scheme before an address", { HTTPS_PROXY: "10.0.0.1:3128" }, "10.0.0.1:3128"],
    ["needs no scheme for a login", { HTTPS_PROXY: "user:secret@proxy.example:3128" }, "proxy.example:3128"],
    ["is none for an exempt host", { ALL_PROXY: "socks5://a:1", NO_PROXY: "status.example" }, undefined],
    ["is not HTTP_PROXY", { HTTP_PROXY: proxy, http_proxy: proxy }, undefined],
  ])("%s", (_, env, shown) => {
    expect(choose(env)?.host).toBe(shown);
  });

  test.each([
    "https://localhost:8080/",
    "https://127.0.0.1/",
    "https://127.8.9.10/",
    "https://[::1]:8443/",
    "http://status.example/",
    "http://127.0.0.1:4010/",
  ])("is never used for %s", (target) => {
    expect(choose({ HTTPS_PROXY: proxy }, target)).toBeUndefined();
  });

  test.each([
    "http://",
    "http://user:secret@",
    "http://user:secret@proxy.example:99999",
    // With a raw slash, question mark or hash, the start of a login parses as host and port.
    "http://user:12/secret@proxy.example:3128",
    "http://user:12?secret@proxy.example:3128",
    "http://user:12#secret@proxy.example:3128",
    "user:12/secret@proxy.example:3128",
    "http://secret/12@proxy.example:3128",
  ])("%s is a usage failure that names the variable and shows nothing of its value", (value) => {
    const error = failureOf(() => choose({ https_proxy: value }));
    expect(error.kind).toBe("usage");
    expect(error.message).toBe("the proxy in https_proxy cannot be used");
    expect(`${error.message}${error.hint}${error.cause}${error.stack}`).not.toMatch(/secret|user:12/);
  });

  test.each(["socks5://user:secret@proxy.example:80", "SOCKS5H://proxy.example", "socks4://a:1", "socks://"])(
    "%s is a usage failure that says what is supported",
    (value) => {
      const error = failureOf(() => choose({ ALL_PROXY: value }));
      expect(error.kind).toBe("usage");
      expect(error.message).toBe("the proxy in ALL_PROXY is a SOCKS proxy, which is not supported");
      expect(error.hint).toMatch(/^write it as a URL with http or https as its scheme/);
      expect(`${error.hint}${error.stack}`).not.toContain("secret");
    },
  );
});

function failureOf(act: () => unknown): Failure {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("it should have failed");
}

describe("NO_PROXY", () => {
  test.each<[string, string, boolean]>([
    ["*", "https://status.example/", true],
    ["status.example", "https://status.example/", true],
    ["STATUS.example.", "https://status.example/", true],
    ["status.example.:8443", "https://status.example:8443/", true],
    ["status.example", "https://eu.status.example/", true],
    [".status.example", "https://eu.status.example/", true],
    [".status.example", "https://status.example/", true],
    ["*.status.example", "https://eu.status.example/", true],
    ["example", "https://status.example/", true],
    ["us.example", "https://status.example/", false],
    ["status.example.org", "https://status.example/", false],
    ["status.example:443", "https://status.example/", true],
    ["status.example:8443", "https://status.example/", false],
    ["a.example, status.example", "https://status.example/", true],
    ["a.example status.example", "https://status.example/", true],
    [" , ,a.example,,\tstatus.example ,", "https://status.example/", true],
    [", ,", "https://status.example/", false],
    [".", "https://status.example/", false],
    ["*.", "https://status.example/", false],
    ["10.0.0.7", "https://10.0.0.7/", true],
    ["10.0.0.7", "https://110.0.0.7/", false],
    ["[2001:db8::7]", "https://[2001:db8::7]/", true],
    ["2001:db8::7", "https://[2001:db8::7]/", true],
    ["2001:DB8:0::7", "https://[2001:db8::7]/", true],
    ["[2001:db8::7]:8443", "https://[2001:db8::7]:8443/", true],
    ["[2001:db8::7]:8443", "https://[2001:db8::7]/", false],
    ["2001:db8::8", "https://[2001:db8::7]/", false],
  ])("%j and %s: exempt is %j", (list, target, exempt) => {
    expect(choose({ HTTPS_PROXY: proxy, NO_PROXY: list }, target) === undefined).toBe(exempt);
    expect(choose({ HTTPS_PROXY: proxy, no_proxy: list, NO_PROXY: "x.test" }, target) === undefined).toBe(
      // An empty lower-case list counts as unset, as for the proxy itself.
      exempt,
    );
  });

  test("hides an unusable proxy from an exempt host", () => {
    expect(choose({ HTTPS_PROXY: "proxy:1", NO_PROXY: "status.example" })).toBeUndefined();
  });
});

describe("the login to the proxy", () => {
  test.each([
    ["http://proxy.example:1", undefined],
    ["http://user:pass@proxy.example:1", "user:pass"],
    ["http://user@proxy.example:1", "user:"],
    ["http://:token@proxy.example:1", ":token"],
    ["http://us%40er:p%2Fa%3As%C3%A9@proxy.example:1", "us@er:p/a:sé"],
    ["http://user:100%@proxy.example:1", "user:100%"],
  ])("of %s is %s", (value, login) => {
    const chosen = choose({ HTTPS_PROXY: value });
    const header = chosen && proxyAuthorization(chosen)["proxy-authorization"];
    expect(header && Buffer.from(header.replace("Basic ", ""), "base64").toString()).toBe(login);
  });
});
