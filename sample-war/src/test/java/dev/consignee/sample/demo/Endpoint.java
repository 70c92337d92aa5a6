package dev.consignee.sample.demo;

import java.net.URI;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;

/**
 * Where the broker listens, and who asks.
 *
 * @param url without user-info, so that it may be printed
 * @param username of the broker
 * @param password of the broker
 */
record Endpoint(String url, String username, String password) {

    /** Takes user-info out of the URL; without any, the sample's configured credentials are meant. */
    static Endpoint of(String url) {
        URI uri = URI.create(url);
        String userInfo = uri.getUserInfo();
        if (userInfo == null) {
            return new Endpoint(url, configured("consignee.username"), configured("consignee.password"));
        }
        int colon = userInfo.indexOf(':');
        return new Endpoint(
                url.replaceFirst("//[^@/]*@", "//"),
                colon < 0 ? userInfo : userInfo.substring(0, colon),
                colon < 0 ? "" : userInfo.substring(colon + 1));
    }

    private static String configured(String key) {
        Optional<String> value = ConfigProvider.getConfig().getOptionalValue(key, String.class);
        return value.orElse("");
    }
}
