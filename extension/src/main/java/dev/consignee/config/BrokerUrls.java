package dev.consignee.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a {@code url} says: the hosts of a {@code failover:(a,b)} one by one, with their options, and the credentials taken
 * out of them.
 *
 * @param urls where the broker may be found
 * @param credentials the user-info, or {@code jms.username} and {@code jms.password}
 * @param ignored options that mean nothing here
 */
record BrokerUrls(List<URI> urls, Optional<Credentials> credentials, List<String> ignored) {

    private static final Pattern FAILOVER =
            Pattern.compile("failover:(?://)?\\((.*)\\)(?:\\?(.*))?", Pattern.CASE_INSENSITIVE);
    private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)");
    private static final Pattern AUTHORITY = Pattern.compile("//([^/?#]*)(.*)");
    private static final String OWN_OPTIONS = "failover.";
    private static final String NESTED_OPTIONS = "failover.nested.";

    /** A user and a password, either of which may be missing. */
    record Credentials(Optional<String> username, Optional<Secret> password) {}

    /** Says what is wrong with a URL, without any of it. */
    static final class BadUrlException extends Exception {
        private static final long serialVersionUID = 1L;

        BadUrlException(String message) {
            super(message);
        }
    }

    static BrokerUrls parse(String text) throws BadUrlException {
        String url = text.strip();
        Matcher failover = FAILOVER.matcher(url);
        if (failover.matches()) {
            String options = failover.group(2);
            return parseHosts(failover.group(1), options == null ? "" : options);
        }
        if (url.regionMatches(true, 0, "failover:", 0, "failover:".length())) {
            throw new BadUrlException("its hosts are not between parentheses");
        }
        return of(List.of(Host.parse(url)), List.of());
    }

    private static BrokerUrls parseHosts(String hosts, String options) throws BadUrlException {
        List<String> shared = new ArrayList<>();
        List<String> ignored = new ArrayList<>();
        for (String option : split(options)) {
            if (option.startsWith(NESTED_OPTIONS)) {
                shared.add(option.substring(NESTED_OPTIONS.length()));
            } else if (option.startsWith(OWN_OPTIONS)) {
                ignored.add(name(option));
            } else {
                shared.add(option);
            }
        }
        List<Host> parsed = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            parsed.add(Host.parse(host.strip()).inFailover().withOptions(shared));
        }
        return of(parsed, ignored);
    }

    private static BrokerUrls of(List<Host> hosts, List<String> ignored) throws BadUrlException {
        List<URI> urls = new ArrayList<>();
        List<Credentials> credentials = new ArrayList<>();
        for (Host host : hosts) {
            urls.add(host.url());
            host.credentials().ifPresent(credentials::add);
        }
        if (credentials.stream().distinct().count() > 1) {
            throw new BadUrlException("its hosts have different credentials");
        }
        return new BrokerUrls(urls, credentials.stream().findFirst(), ignored);
    }

    private static List<String> split(String options) {
        return Arrays.stream(options.split("&", -1))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    private static String name(String option) {
        return option.substring(0, option.indexOf('=') < 0 ? option.length() : option.indexOf('='));
    }

    private static String value(String option) throws BadUrlException {
        return decoded(option.substring(Math.min(option.length(), name(option).length() + 1)));
    }

    private static String decoded(String text) throws BadUrlException {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new BadUrlException("it has a '%' that is not followed by two hexadecimal digits");
        }
    }

    /** One URL, taken apart: scheme and authority, user-info, options. */
    private record Host(String location, String userInfo, List<String> options) {

        static Host parse(String url) throws BadUrlException {
            if (url.isEmpty()) {
                throw new BadUrlException("it, or one of its hosts, is empty");
            }
            Matcher matcher = SCHEME.matcher(url);
            String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
            return switch (scheme) {
                case "inprocess" -> inProcess(matcher.group(2));
                case "amqp", "amqps" -> amqp(scheme, matcher.group(2));
                default -> throw new BadUrlException("its scheme is none of amqp, amqps, inprocess and failover");
            };
        }

        /** A URL needs something after its scheme, so {@code inprocess:} by itself is that of the broker "default". */
        private static Host inProcess(String name) {
            return new Host("inprocess:" + (name.isEmpty() ? "default" : name), "", List.of());
        }

        private static Host amqp(String scheme, String rest) throws BadUrlException {
            Matcher matcher = AUTHORITY.matcher(rest);
            if (!matcher.matches()) {
                throw new BadUrlException("'//' and a host have to follow its scheme");
            }
            String authority = matcher.group(1);
            int at = authority.lastIndexOf('@');
            String tail = matcher.group(2);
            int question = tail.indexOf('?');
            String path = question < 0 ? tail : tail.substring(0, question);
            if (!path.isEmpty() && !path.equals("/")) {
                throw new BadUrlException("it has a path, which AMQP 1.0 has no use for (a virtual host is the option"
                        + " amqp.vhost), or a '/', '?' or '#' in its user-info, which has to be percent-encoded");
            }
            return new Host(
                    scheme + "://" + authority.substring(at + 1),
                    at < 0 ? "" : authority.substring(0, at),
                    question < 0 ? List.of() : split(tail.substring(question + 1)));
        }

        /** The hosts of one broker are reached by one transport. */
        Host inFailover() throws BadUrlException {
            if (location.startsWith("inprocess:")) {
                throw new BadUrlException("its hosts are not all of amqp or amqps");
            }
            return this;
        }

        /** Options that the URL does not have itself. */
        Host withOptions(List<String> others) {
            List<String> own = options.stream().map(BrokerUrls::name).toList();
            Stream<String> added = others.stream().filter(option -> !own.contains(name(option)));
            return new Host(
                    location, userInfo, Stream.concat(options.stream(), added).toList());
        }

        URI url() throws BadUrlException {
            List<String> shown =
                    options.stream().filter(option -> !isCredential(option)).toList();
            URI url;
            try {
                url = new URI(location + (shown.isEmpty() ? "" : "?" + String.join("&", shown)));
            } catch (URISyntaxException e) { // not the cause: its message has the whole text
                throw new BadUrlException(
                        "it has a character that has to be percent-encoded, or a port that is no number");
            }
            if (url.getFragment() != null) {
                throw new BadUrlException("it has a '#'");
            }
            if (!url.isOpaque()) {
                checkAuthority(url);
            }
            return url;
        }

        private static void checkAuthority(URI url) throws BadUrlException {
            if (url.getHost() == null) {
                throw new BadUrlException(
                        "it has no host, one with other characters than letters, digits, '-' and '.', or a port that is"
                                + " no number");
            }
            boolean portWritten = !url.getAuthority().equals(url.getHost());
            if (portWritten && (url.getPort() < 1 || url.getPort() > 65535)) {
                throw new BadUrlException("its port is not one of 1 to 65535");
            }
        }

        Optional<Credentials> credentials() throws BadUrlException {
            int colon = userInfo.indexOf(':');
            String user = decoded(colon < 0 ? userInfo : userInfo.substring(0, colon));
            Optional<String> username = user.isEmpty() ? option("jms.username") : Optional.of(user);
            Optional<String> password =
                    colon < 0 ? option("jms.password") : Optional.of(decoded(userInfo.substring(colon + 1)));
            return username.isEmpty() && password.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Credentials(username, password.map(Secret::new)));
        }

        private Optional<String> option(String name) throws BadUrlException {
            for (String option : options) {
                if (name(option).equals(name)) {
                    return Optional.of(value(option));
                }
            }
            return Optional.empty();
        }

        private static boolean isCredential(String option) {
            return name(option).equals("jms.username") || name(option).equals("jms.password");
        }
    }
}
